// The least that a Yjs server can do, with the frames that ours has: one text in memory, every update sent to the rest.
import * as decoding from 'lib0/decoding';
import * as encoding from 'lib0/encoding';
import { WebSocketServer } from 'ws';
import * as sync from 'y-protocols/sync';
import * as Y from 'yjs';

const NUMBER = 1;
const doc = new Y.Doc();
doc.getText('text').insert(0, process.env.TEXT);
const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });

function message(write) {
  const encoder = encoding.createEncoder();
  encoding.writeVarUint(encoder, NUMBER);
  encoding.writeVarUint(encoder, 0);
  write(encoder);
  return encoding.toUint8Array(encoder);
}

doc.on('update', (update, from) => {
  const frame = message((encoder) => sync.writeUpdate(encoder, update));
  for (const socket of server.clients) if (socket !== from) socket.send(frame);
});

server.on('connection', (socket) => {
  socket.on('message', (data, binary) => {
    if (!binary) {
      const { request } = JSON.parse(data);
      socket.send(JSON.stringify({ type: 'document_opened', request, number: NUMBER }));
      return;
    }
    const decoder = decoding.createDecoder(new Uint8Array(data));
    decoding.readVarUint(decoder);
    decoding.readVarUint(decoder);
    const answer = encoding.createEncoder();
    sync.readSyncMessage(decoder, answer, doc, socket);
    if (encoding.length(answer) > 0)
      socket.send(message((to) => encoding.writeUint8Array(to, encoding.toUint8Array(answer))));
  });
});

server.once('listening', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}/`, token: '' })),
);
