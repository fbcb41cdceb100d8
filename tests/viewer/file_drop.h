// Drops a file on a window as a file manager does: the X drag and drop protocol (XDND, version 5), by a
// client of its own.
#pragma once

#include <xcb/xcb.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <thread>

namespace stiction::testing {

class FileDrop {
 public:
  explicit FileDrop(const std::string& display) : connection_(xcb_connect(display.c_str(), nullptr)) {
    if (xcb_connection_has_error(connection_)) return;
    root_ = xcb_setup_roots_iterator(xcb_get_setup(connection_)).data->root;
    source_ = xcb_generate_id(connection_);
    xcb_create_window(connection_, 0, source_, root_, 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_ONLY,
                      XCB_COPY_FROM_PARENT, 0, nullptr);
    xcb_set_selection_owner(connection_, source_, Atom("XdndSelection"), XCB_CURRENT_TIME);
  }
  ~FileDrop() { xcb_disconnect(connection_); }
  FileDrop(const FileDrop&) = delete;
  FileDrop& operator=(const FileDrop&) = delete;

  // On the one window of the display that takes drops, at a place of the screen. False if none does, or if it
  // does not accept the file within a minute.
  bool Drop(const std::string& uri, int x, int y) {
    if (xcb_connection_has_error(connection_)) return false;
    const std::optional<xcb_window_t> target = FindTarget();
    if (!target) return false;
    uri_ = uri + "\r\n";
    Send(*target, "XdndEnter", {source_, 5u << 24, Atom("text/uri-list"), 0, 0});
    Send(*target, "XdndPosition",
         {source_, 0, static_cast<std::uint32_t>(x << 16 | y), XCB_CURRENT_TIME, Atom("XdndActionCopy")});
    if (!Serve("XdndStatus")) return false;
    Send(*target, "XdndDrop", {source_, 0, XCB_CURRENT_TIME, 0, 0});
    return Serve("XdndFinished");
  }

 private:
  template <typename T>
  static auto Own(T* reply) {
    return std::unique_ptr<T, decltype(&std::free)>(reply, &std::free);
  }
  xcb_atom_t Atom(const char* name) {
    const auto cookie = xcb_intern_atom(connection_, 0, static_cast<std::uint16_t>(std::strlen(name)), name);
    const auto reply = Own(xcb_intern_atom_reply(connection_, cookie, nullptr));
    return reply ? reply->atom : xcb_atom_t{XCB_ATOM_NONE};
  }
  std::optional<xcb_window_t> FindTarget() {
    const auto tree = Own(xcb_query_tree_reply(connection_, xcb_query_tree(connection_, root_), nullptr));
    for (int i = 0; tree && i < xcb_query_tree_children_length(tree.get()); ++i) {
      const xcb_window_t window = xcb_query_tree_children(tree.get())[i];
      const auto cookie = xcb_get_property(connection_, 0, window, Atom("XdndAware"), XCB_ATOM_ANY, 0, 1);
      const auto reply = Own(xcb_get_property_reply(connection_, cookie, nullptr));
      if (reply && reply->type != XCB_ATOM_NONE) return window;
    }
    return std::nullopt;
  }
  void Send(xcb_window_t target, const char* type, const std::uint32_t (&data)[5]) {
    xcb_client_message_event_t event{};
    event.response_type = XCB_CLIENT_MESSAGE;
    event.format = 32;
    event.window = target;
    event.type = Atom(type);
    std::memcpy(event.data.data32, data, sizeof data);
    xcb_send_event(connection_, 0, target, XCB_EVENT_MASK_NO_EVENT, reinterpret_cast<const char*>(&event));
    xcb_flush(connection_);
  }
  // Hands the file's name to who asks for it, until the answer has come; whether that is yes.
  bool Serve(const char* answer) {
    const xcb_atom_t wanted = Atom(answer);
    for (int i = 0; i < 6000; ++i) {
      const auto event = Own(xcb_poll_for_event(connection_));
      if (!event) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        continue;
      }
      const int kind = event->response_type & 0x7f;
      if (kind == XCB_SELECTION_REQUEST)
        Answer(*reinterpret_cast<const xcb_selection_request_event_t*>(event.get()));
      if (kind != XCB_CLIENT_MESSAGE) continue;
      const auto& message = *reinterpret_cast<const xcb_client_message_event_t*>(event.get());
      // The protocol has a bit for yes; GLFW answers a drop with the number of bytes that it got.
      if (message.type == wanted) return message.data.data32[1] != 0;
    }
    return false;
  }
  void Answer(const xcb_selection_request_event_t& request) {
    xcb_change_property(connection_, XCB_PROP_MODE_REPLACE, request.requestor, request.property,
                        request.target, 8, static_cast<std::uint32_t>(uri_.size()), uri_.data());
    xcb_selection_notify_event_t event{};
    event.response_type = XCB_SELECTION_NOTIFY;
    event.time = request.time;
    event.requestor = request.requestor;
    event.selection = request.selection;
    event.target = request.target;
    event.property = request.property;
    xcb_send_event(connection_, 0, request.requestor, XCB_EVENT_MASK_NO_EVENT,
                   reinterpret_cast<const char*>(&event));
    xcb_flush(connection_);
  }

  xcb_connection_t* connection_;
  xcb_window_t root_ = 0, source_ = 0;
  std::string uri_;
};

}  // namespace stiction::testing
