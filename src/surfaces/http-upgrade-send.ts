import type { WebSocket } from 'ws'

/** Long messages go in pieces, so that a slow reader can be told from one that does not read. */
const pieceBytes = 1024 * 1024

/**
 * Sends a text and resolves when all of it has left this process. A reader that takes no piece for `patienceMs` loses
 * its socket. Rejects when the socket is gone.
 */
export async function sendText(socket: WebSocket, text: string, patienceMs = 60_000): Promise<void> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
    const fin = at + pieceBytes >= bytes.byteLength
    await sendPiece(socket, { bytes: bytes.subarray(at, at + pieceBytes), fin }, patienceMs)
  }
}

function sendPiece(socket: WebSocket, { bytes, fin }: { bytes: Buffer; fin: boolean }, patienceMs: number) {
  return new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => socket.terminate(), patienceMs)
    socket.send(bytes, { binary: false, fin }, (error) => {
      clearTimeout(late)
      if (error) reject(error)
      else resolve()
    })
  })
}
