// The sections of an MJCF file, each read into the context. All throw LoadError, or the builder's ModelError
// for what cannot be simulated, at the element that context.table.current then is.
#pragma once

#include "io/mjcf/context.h"

namespace stiction::mjcf {

void ReadOption(Context& context, xml::Element& element);
void ReadSurroundings(Context& context, xml::Element& element);  // <visual> and <statistic>
void ReadAssets(Context& context, xml::Element& element);
void FinishMaterials(Context& context);  // after all of them
void ReadWorldBody(Context& context, xml::Element& element);
// Of a model that is attached: its one body alone. False if the section does not hold it.
bool ReadOnlyBody(Context& context, xml::Element& element);
void ReadContact(Context& context, xml::Element& element);
// What every <attach> brought of a kind, after the file's own of that kind.
void AddAttached(Context& context, Mechanisms kind);
void ReadTendons(Context& context, xml::Element& element);
void ReadEqualities(Context& context, xml::Element& element);
void FindReflected(Context& context, xml::Element& element);  // <actuator>, before what it acts on
void ReadActuators(Context& context, xml::Element& element);
void ReadKeyframes(Context& context, xml::Element& element);
void ReadSensors(Context& context, xml::Element& element);

}  // namespace stiction::mjcf
