import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns'
import { connect, Server, Socket } from 'node:net'
import { lock, refused } from './refused.ts'

/**
 * Removes the methods that open a socket from the classes that Node implements in C++ (TCP, Pipe, UDP, the DNS channel), so
 * that no JavaScript reaches the network by any module, however it came by a socket: code can override methods of streams
 * and events, and is then called with those of our own.
 */
export function disableNetwork(): void {
  for (const handle of handles()) {
    const prototype = Object.getPrototypeOf(handle) as object
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (typeof value === 'function' && name !== 'constructor') lock(prototype, name, () => refused(name))
  }
  lock(Socket.prototype, 'connect', () => refused('connect'))
  lock(Server.prototype, 'listen', () => refused('listen'))
}

/** One handle of each class. None is ever connected or bound. */
function handles(): object[] {
  return [
    () => handleOfSocket(connect({ host: '127.0.0.1', port: 1 })),
    () => handleOfSocket(connect({ path: '/nonexistent' })),
    handleOfDatagrams,
    () => memberOf(new Resolver(), '_handle'),
  ].flatMap(made)
}

/** Fails where a class is not found: no code may run then. */
function made(make: () => object | undefined): object[] {
  try {
    const handle = make()
    if (!handle) throw new Error('This version of Node keeps its sockets elsewhere: the network cannot be removed.')
    return [handle]
  } catch (thrown) {
    // Newer versions of Node have a permission for the network, and it was not given.
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_ACCESS_DENIED') return []
    throw thrown
  }
}

/** It connects in a later turn, so one that is destroyed in this turn never does. */
function handleOfSocket(socket: Socket): object | undefined {
  const handle = memberOf(socket, '_handle')
  socket.on('error', () => {}).destroy()
  return handle
}

function handleOfDatagrams(): object | undefined {
  const socket = createSocket('udp4')
  const states = Object.getOwnPropertySymbols(socket).map((symbol) => memberOf(socket, symbol))
  const handle = states.map((state) => state && memberOf(state, 'handle')).find((each) => each !== undefined)
  socket.close()
  return handle
}

function memberOf(object: object, name: string | symbol): object | undefined {
  const value: unknown = Reflect.get(object, name)
  return typeof value === 'object' && value !== null ? value : undefined
}
