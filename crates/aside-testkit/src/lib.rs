//! Scripted provider fixtures, fake model server, transcript runner.
