//! CRDT documents on the Yjs protocol and anchored edits.
