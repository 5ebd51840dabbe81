import { registerHooks } from 'node:module'
import { Socket } from 'node:net'

/** Modules that lead out of the process. */
const closed = new Set(
  (
    'child_process cluster dgram diagnostics_channel dns dns/promises http http2 https inspector inspector/promises module net ' +
    'repl sqlite tls trace_events v8 wasi worker_threads'
  ).split(' '),
)
const refused = (name: string): never => {
  throw Object.assign(new Error(`${name} is not open to this code.`), { code: 'ERR_ACCESS_DENIED' })
}

const nameOf = (specifier: string) => specifier.replace(/^node:/, '')

function lock(object: object, name: string, value: unknown): void {
  const known = Object.getOwnPropertyDescriptor(object, name)
  if (known?.configurable !== false)
    Object.defineProperty(object, name, { value, writable: false, configurable: false })
}

/**
 * Takes the network, other processes and the inner bindings from the code that runs next. Node's permission model keeps it
 * from files and child processes but not from the network (before Node 25), so this is done in JavaScript: it stops code
 * that tries the ordinary ways, not code that looks for a hole.
 */
export function lockDown(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      closed.has(nameOf(specifier)) ? refused(specifier) : next(specifier, context),
  })
  const { getBuiltinModule } = process
  lock(process, 'getBuiltinModule', (name: string) =>
    closed.has(nameOf(name)) ? refused(name) : getBuiltinModule(name),
  )
  for (const name of [
    'binding',
    '_linkedBinding',
    'dlopen',
    'kill',
    '_kill',
    '_debugProcess',
    'setuid',
    'setgid',
    'chdir',
    'execve',
  ])
    if (name in process) lock(process, name, () => refused(`process.${name}`))
  for (const name of ['fetch', 'WebSocket', 'EventSource']) lock(globalThis, name, () => refused(name))
  lock(Socket.prototype, 'connect', () => refused('connect'))
  // A stream's handle could dial by itself.
  for (const stream of [process.stdout, process.stderr]) {
    const handle = (stream as unknown as Record<string, unknown>)['_handle']
    const prototype: unknown = handle && Object.getPrototypeOf(handle as object)
    if (typeof prototype === 'object' && prototype !== null && 'connect' in prototype)
      lock(prototype, 'connect', () => refused('connect'))
  }
}
