// What is left to show where the renderer cannot start.
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl2.h>
#include <imgui.h>

#include "fonts.h"
#include "theme.h"
#include "window.h"

namespace stiction::viewer {
namespace {

constexpr int kMessageWidth = 640, kMessageHeight = 260;

void DrawMessage(GLFWwindow* window, const std::string& text) {
  ImGui_ImplOpenGL2_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
  ImGui::SetNextWindowPos({0.0f, 0.0f});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::Begin("Message", nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PushFont(GetFonts().title);
  ImGui::TextUnformatted("Stiction cannot draw here");
  ImGui::PopFont();
  ui::Wrapped(text);
  ImGui::Dummy({0.0f, Scaled(8.0f)});
  const bool is_left = ImGui::Button("Close") || glfwGetKey(window, GLFW_KEY_ESCAPE) == GLFW_PRESS;
  if (is_left) glfwSetWindowShouldClose(window, GLFW_TRUE);
  ImGui::End();
  ImGui::Render();
  int width = 0, height = 0;
  glfwGetFramebufferSize(window, &width, &height);
  glViewport(0, 0, width, height);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL2_RenderDrawData(ImGui::GetDrawData());
  glfwSwapBuffers(window);
}

}  // namespace

void ShowMessageWindow(const std::string& text) {
  if (!glfwInit()) return;
  glfwDefaultWindowHints();
  GLFWwindow* window = glfwCreateWindow(kMessageWidth, kMessageHeight, "stiction", nullptr, nullptr);
  if (window == nullptr) return glfwTerminate();
  glfwMakeContextCurrent(window);
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;
  ApplyTheme(Theme::kDark, 1.0f);
  MakeFonts(1.0f, 1.0f);
  ImGui_ImplGlfw_InitForOpenGL(window, true);
  // A key that is let go before the next frame counts, too.
  glfwSetInputMode(window, GLFW_STICKY_KEYS, GLFW_TRUE);
  ImGui_ImplOpenGL2_Init();
  while (!glfwWindowShouldClose(window)) {
    DrawMessage(window, text);
    glfwWaitEventsTimeout(0.5);
  }
  ImGui_ImplOpenGL2_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window);
  glfwTerminate();
}

}  // namespace stiction::viewer
