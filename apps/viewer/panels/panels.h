// The panels of the window: each shows one side of a Session and passes what the user wants on to it.
#pragma once

#include "session.h"

namespace stiction::viewer {

// The menu bar, all open panels, and the notice; without a model the start page.
void ShowPanels(Session& session);

// Where panels stand until the user moves them.
Layout MakeFirstLayout();

// What to open first: a file, or one of the demonstrations.
void ShowStartPage(Session& session);
// A field for the path of a file, and a button that opens it.
void ShowPathField(Session& session);

// Each inside of its window.
void ShowSimulationPanel(Session& session);
void ShowViewPanel(Session& session);
void ShowModelPanel(Session& session);
void ShowControlsPanel(Session& session);
void ShowSolverPanel(Session& session);
void ShowCertificatePanel(Session& session);
void ShowDiagnosticsPanel(Session& session);
void ShowShadowsPanel(Session& session);
void ShowKeepPanel(Session& session);
void ShowReportPanel(Session& session);
void ShowHelpPanel(Session& session);

// The physical parts of the file that are ignored, at the top left of the picture; nothing where there are none.
void ShowLosses(const Session& session);

// Writes the problem of the last step beside the working directory's other files.
void FreezeStep(Session& session);

}  // namespace stiction::viewer
