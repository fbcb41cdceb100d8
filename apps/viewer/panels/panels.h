// The panels of the window: each shows one side of a Session and passes what the user wants on to it.
#pragma once

#include "session.h"

namespace stiction::viewer {

// All that is shown around the picture and over it; without a model the start page.
void ShowPanels(Session& session);

// The bars that the window always has.
void ShowMenuBar(Session& session);
void ShowStatusBar(Session& session, const Rectangle& place);
// Tabs, and under them the panel in front, of each dock; edges that can be dragged.
void ShowDocks(Session& session, const Area& area);

// What to open first: a file, one of the last, or one of the demonstrations.
void ShowStartPage(Session& session, const Rectangle& place);
// In the place of a model: contact problems of a file.
void ShowProblemPage(Session& session, const Rectangle& place);
// A dialog, where one was asked for or is open.
void ShowFileBrowser(Session& session);
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
void ShowPlotsPanel(Session& session);
void ShowComparePanel(Session& session);
void ShowScenarioPanel(Session& session);
// A window of its own, over everything.
void ShowHelp(Session& session);

// What can be done with the selected body: a menu at the pointer, where it was asked for or is open.
void ShowBodyMenu(Session& session);

// The physical parts of the file that are ignored, at the top left of the picture; nothing where there are
// none. Returns where they end, from where the picture is free [pixels].
float ShowLosses(const Session& session);
// Errors and answers at the top of the picture, until clicked away.
//   top  from where the picture is free [pixels]
void ShowNotice(Session& session, float top);
// What is being recorded, at the lower left of the picture; nothing where nothing is.
void ShowRecordingMark(Session& session);

// Writes the state that is shown beside the working directory's other files.
void SaveState(Session& session);
// Writes the problem of the last step beside the working directory's other files.
void FreezeStep(Session& session);

}  // namespace stiction::viewer
