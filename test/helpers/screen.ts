import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export const hasXvfb = process.platform === 'linux' && spawnSync('Xvfb', ['-help']).error === undefined

/** Starts a virtual screen for programs that show windows. */
export async function startScreen() {
  const server = spawn('Xvfb', ['-displayfd', '3', '-nolisten', 'tcp', '-screen', '0', '1024x768x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const [said] = (await once(server.stdio[3] as NodeJS.ReadableStream, 'data')) as [Buffer]
  const number = said.toString().trim()
  return {
    display: `:${number}`,
    /** Closes every visible window, like its close button. Returns the number of windows. */
    closeWindows: () => closeWindows(`/tmp/.X11-unix/X${number}`),
    close: () => void server.kill(),
  }
}
export type Screen = Awaited<ReturnType<typeof startScreen>>

/** X Window System Protocol, version 11: sections 8 (connection setup), 9 (requests), 10 (events). */
async function closeWindows(path: string): Promise<number> {
  const socket = connect(path)
  const read = readerOf(socket)
  socket.write(Buffer.from([0x6c, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
  const head = await read(8)
  const setup = await read(head.readUInt16LE(6) * 4)
  const vendorLength = Math.ceil(setup.readUInt16LE(16) / 4) * 4
  const root = setup.readUInt32LE(32 + vendorLength + setup.readUInt8(21) * 8)

  const ask = async (request: Buffer) => {
    socket.write(request)
    const reply = await read(32)
    return Buffer.concat([reply, await read(reply.readUInt32LE(4) * 4)])
  }
  const protocols = (await ask(internAtom('WM_PROTOCOLS'))).readUInt32LE(8)
  const deletion = (await ask(internAtom('WM_DELETE_WINDOW'))).readUInt32LE(8)
  const tree = await ask(aboutWindow(queryTree, root))
  const all = Array.from({ length: tree.readUInt16LE(16) }, (_, at) => tree.readUInt32LE(32 + at * 4))
  const seen: number[] = []
  for (const window of all)
    if ((await ask(aboutWindow(windowAttributes, window))).readUInt8(26) === viewable) seen.push(window)
  for (const window of seen) socket.write(clientMessage(window, protocols, deletion))
  // A response to a later request proves that these were delivered.
  await ask(aboutWindow(queryTree, root))
  socket.destroy()
  return seen.length
}

const windowAttributes = 3
const queryTree = 15
const viewable = 2

function aboutWindow(opcode: number, window: number): Buffer {
  const request = Buffer.from([opcode, 0, 2, 0, 0, 0, 0, 0])
  request.writeUInt32LE(window, 4)
  return request
}

function internAtom(name: string): Buffer {
  const padded = Math.ceil(name.length / 4) * 4
  const request = Buffer.alloc(8 + padded)
  request.writeUInt8(16, 0)
  request.writeUInt16LE(request.length / 4, 2)
  request.writeUInt16LE(name.length, 4)
  request.write(name, 8, 'latin1')
  return request
}

/** SendEvent with a ClientMessage of WM_PROTOCOLS (ICCCM 4.2.8). */
function clientMessage(window: number, type: number, value: number): Buffer {
  const request = Buffer.alloc(44)
  request.writeUInt8(25, 0)
  request.writeUInt16LE(11, 2)
  request.writeUInt32LE(window, 4)
  request.writeUInt8(33, 12)
  request.writeUInt8(32, 13)
  request.writeUInt32LE(window, 16)
  request.writeUInt32LE(type, 20)
  request.writeUInt32LE(value, 24)
  return request
}

/** Returns a function that reads the given number of bytes from a stream. */
function readerOf(socket: Socket): (size: number) => Promise<Buffer> {
  let held = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => (held = Buffer.concat([held, chunk])))
  return async (size) => {
    while (held.length < size) await once(socket, 'data')
    const taken = held.subarray(0, size)
    held = held.subarray(size)
    return taken
  }
}
