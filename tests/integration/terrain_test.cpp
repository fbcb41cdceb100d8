// `stiction run` of a model whose ground is drawn: a height field and a hollow mesh.
#include "tests/integration/run_program.h"

namespace stiction {
namespace {

// A box in the valley of a terrain, a ball in a square bowl whose walls lean outwards.
constexpr const char* kTerrain = R"(<mujoco model="terrain">
  <compiler angle="radian"/>
  <asset>
    <hfield name="valley" nrow="3" ncol="4" size="3 2 0.5 0.1" elevation="1 0 0 1  1 0 0 1  1 0 0 1"/>
    <mesh name="bowl" vertex="-.3 -.3 0  .3 -.3 0  .3 .3 0  -.3 .3 0  -.5 -.5 .3  .5 -.5 .3  .5 .5 .3  -.5 .5 .3"
          face="0 1 2 0 2 3  0 4 5 0 5 1  1 5 6 1 6 2  2 6 7 2 7 3  3 7 4 3 4 0"/>
  </asset>
  <worldbody>
    <geom type="hfield" hfield="valley"/>
    <geom type="mesh" mesh="bowl" concave="true" pos="10 0 0"/>
    <body name="box" pos="0 0 0.105"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="1"/></body>
    <body name="ball" pos="10 0 0.105"><freejoint/><geom type="sphere" size="0.1" mass="1"/></body>
  </worldbody>
</mujoco>
)";

class Terrain : public ProgramTest {};

TEST_F(Terrain, CarriesWhatStandsOnIt) {
  Write("terrain.xml", kTerrain);
  const ProgramResult result = Run("run terrain.xml --time 0.5 --json -");
  ASSERT_EQ(result.code, 0) << result.err;
  const nlohmann::json bodies = result.Json()["final"]["bodies"];
  for (const char* body : {"box", "ball"})
    EXPECT_NEAR(bodies[body]["pos"][2].get<double>(), 0.1, 1e-4) << body;
}

}  // namespace
}  // namespace stiction
