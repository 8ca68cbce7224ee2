"""What can be seen on an X display, for tests from outside."""
import ctypes


class Attributes(ctypes.Structure):
    """XWindowAttributes of Xlib."""
    _fields_ = [(name, ctypes.c_int) for name in ("x", "y", "width", "height", "border", "depth")] + [
        ("visual", ctypes.c_void_p), ("root", ctypes.c_ulong)] + [
        (name, ctypes.c_int) for name in ("kind", "bits", "gravity", "backing")] + [
        ("planes", ctypes.c_ulong), ("pixel", ctypes.c_ulong), ("under", ctypes.c_int), ("colors", ctypes.c_ulong),
        ("installed", ctypes.c_int), ("state", ctypes.c_int), ("events", ctypes.c_long * 3),
        ("redirect", ctypes.c_int), ("screen", ctypes.c_void_p)]


VIEWABLE = 2


class Screen:
    """The windows that can be seen on it, by their titles. A toolkit has others that nobody sees."""

    def __init__(self):
        self.lib = ctypes.CDLL("libX11.so.6")
        self.lib.XOpenDisplay.restype = ctypes.c_void_p
        self.display = ctypes.c_void_p(self.lib.XOpenDisplay(None))
        # A window may go between being listed and being asked; Xlib would end the program.
        self.heed = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(lambda display, error: 0)
        self.lib.XSetErrorHandler(self.heed)
        self.lib.XDefaultRootWindow.restype = ctypes.c_ulong
        self.root = self.lib.XDefaultRootWindow(self.display)

    def titles(self):
        found = []
        root, parent, n = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint()
        children = ctypes.POINTER(ctypes.c_ulong)()
        self.lib.XQueryTree(self.display, ctypes.c_ulong(self.root), ctypes.byref(root), ctypes.byref(parent),
                            ctypes.byref(children), ctypes.byref(n))
        for i in range(n.value):
            name, about = ctypes.c_char_p(), Attributes()
            self.lib.XGetWindowAttributes(self.display, ctypes.c_ulong(children[i]), ctypes.byref(about))
            if about.state != VIEWABLE:
                continue
            if self.lib.XFetchName(self.display, ctypes.c_ulong(children[i]), ctypes.byref(name)) and name.value:
                found.append(name.value.decode(errors="replace"))
        return found
