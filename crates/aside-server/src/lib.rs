//! Composition root: HTTP, WebSocket, auth, document sync.
