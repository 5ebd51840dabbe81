import { Console } from 'node:console'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns'
import { registerHooks, type RegisterHooksOptions } from 'node:module'
import { connect, Server, Socket } from 'node:net'
import { Readable, Writable } from 'node:stream'

const refused = (what: string): never => {
  throw Object.assign(new Error(`${what} is not available to this code.`), { code: 'ERR_ACCESS_DENIED' })
}

/** Replaces a member permanently. */
function lock(object: object, name: PropertyKey, value: unknown): void {
  const known = Object.getOwnPropertyDescriptor(object, name)
  if (known?.configurable === false && known.writable !== true) return
  Object.defineProperty(object, name, { value, writable: false, configurable: false })
}

/** Node modules that only compute. All others open sockets, files or threads, or describe the machine. */
const openModules = new Set(
  (
    'assert assert/strict buffer crypto events path path/posix path/win32 punycode querystring stream stream/consumers ' +
    'stream/promises stream/web string_decoder timers timers/promises url util util/types zlib'
  ).split(' '),
)

/** Members of `process` that describe the machine, access other processes, or return live handles. */
const closedMembers = (
  '_debugEnd _debugProcess _getActiveHandles _getActiveRequests _kill _linkedBinding _startProfilerIdleNotifier ' +
  '_stopProfilerIdleNotifier binding chdir dlopen execve initgroups kill loadEnvFile openStdin setegid seteuid setgid ' +
  'setgroups setuid'
).split(' ')

const closedGlobals = ['fetch', 'WebSocket', 'EventSource']
/** Symbols where undici stores the client behind `fetch`; it creates one only if there is none. */
const dispatchers = [1, 2].map((version) => Symbol.for(`undici.globalDispatcher.${version}`))

const nameOf = (specifier: string) => specifier.replace(/^node:/, '')

const resolve: RegisterHooksOptions['resolve'] = (specifier, context, next) =>
  openModules.has(nameOf(specifier)) || specifier.startsWith('data:')
    ? next(specifier, context)
    : refused(`The module ${specifier}`)

/**
 * Permanently removes access to the network, the file system and the rest of the machine for the code that runs next.
 * Node's permission model blocks files, processes, threads and native code below JavaScript, but not the network
 * (before Node 25).
 */
export function lockDown(): void {
  // Node creates the streams on first access, which needs features disabled below.
  const streams = [process.stdout, process.stderr]
  disableNetwork()
  dropPermissions()
  registerHooks({ resolve })
  const { getBuiltinModule } = process
  lock(process, 'getBuiltinModule', (name: string) =>
    openModules.has(nameOf(name)) ? getBuiltinModule(name) : refused(`The module ${name}`),
  )
  for (const name of closedMembers) if (name in process) lock(process, name, () => refused(`process.${name}`))
  for (const name of closedGlobals) lock(globalThis, name, () => refused(name))
  for (const name of dispatchers) lock(globalThis, name, Object.freeze({ dispatch: () => refused('fetch') }))
  lock(process, 'report', undefined)
  // An OpenSSL engine is native code.
  lock(getBuiltinModule('node:crypto'), 'setEngine', () => refused('crypto.setEngine'))
  hidePaths()
  lockStreams(streams)
}

/** Revokes the permission to read our own files. Older versions of Node cannot do this. */
function dropPermissions(): void {
  const permission = process.permission as { drop?(scope: string): void } | undefined
  permission?.drop?.('fs')
}

function hidePaths(): void {
  lock(process, 'argv', ['node', 'code.js'])
  lock(process, 'argv0', 'node')
  lock(process, 'execPath', 'node')
  lock(process, 'execArgv', [])
  lock(process, 'title', 'node')
}

/** Replaces the standard streams, which are sockets and lead to a class that can open other sockets. */
function lockStreams(streams: readonly NodeJS.WriteStream[]): void {
  const [stdout, stderr] = streams.map(outputOnly)
  lock(process, 'stdout', stdout)
  lock(process, 'stderr', stderr)
  lock(process, 'stdin', Readable.from([]))
  lock(globalThis, 'console', new Console(stdout!, stderr))
}

function outputOnly(stream: NodeJS.WriteStream): Writable {
  const write = stream.write.bind(stream)
  const once = stream.once.bind(stream)
  return new Writable({
    decodeStrings: false,
    write(chunk: Buffer | string, encoding, done) {
      // An empty write is a request to be notified when everything is written. Other writes finish immediately, because
      // code may exit in the same tick.
      if (chunk.length === 0) write(chunk, encoding, done)
      else if (write(chunk, encoding)) done()
      else once('drain', done)
    },
  })
}

/**
 * Removes the methods that open a socket from the classes that Node implements in C++ (TCP, Pipe, UDP, the DNS
 * channel), so no JavaScript can access the network through any module, however it obtained a socket: code can override
 * methods of streams and events, which are then called with our own objects.
 */
function disableNetwork(): void {
  for (const handle of handles()) {
    const prototype = Object.getPrototypeOf(handle) as object
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (typeof value === 'function' && name !== 'constructor') lock(prototype, name, () => refused(name))
  }
  lock(Socket.prototype, 'connect', () => refused('connect'))
  lock(Server.prototype, 'listen', () => refused('listen'))
}

/** Returns one handle of each class. None is ever connected or bound. */
function handles(): object[] {
  return [
    () => handleOfSocket(connect({ host: '127.0.0.1', port: 1 })),
    () => handleOfSocket(connect({ path: '/nonexistent' })),
    handleOfDatagrams,
    () => memberOf(new Resolver(), '_handle'),
  ].flatMap(handleIn)
}

/** Returns a handle in a list. Throws if its class is not found, because no code may run then. */
function handleIn(create: () => object | undefined): object[] {
  try {
    const handle = create()
    if (!handle)
      throw new Error('This version of Node stores its sockets elsewhere, so network access cannot be removed.')
    return [handle]
  } catch (thrown) {
    // Newer versions of Node have a network permission, which was not granted.
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_ACCESS_DENIED') return []
    throw thrown
  }
}

/** A socket connects in a later tick, so one destroyed in this tick never connects. */
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
