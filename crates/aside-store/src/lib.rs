//! The SQLite file: logs, records, audit chain; content-addressed blobs.
