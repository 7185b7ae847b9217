//! The Go Text Protocol as framing and command tables; it knows no Go.
