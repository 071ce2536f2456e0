//! The Python binding: convert, release the interpreter, call one function, convert back.
