//! One opened folder: confined paths, documents, checkpoints, watching.
