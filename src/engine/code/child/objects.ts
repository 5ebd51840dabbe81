import { EventEmitter } from 'node:events'
import { compileFunction } from 'node:vm'

/** Calls from another process on objects of Playwright: each path starts at an object that was handed out. */
type CallPath = readonly (
  | readonly ['object', string]
  | readonly ['get', string]
  | readonly ['call', string, readonly unknown[]]
)[]
type Callable = (...given: unknown[]) => unknown
type Members = Record<string, unknown>

export type Objects = {
  /** The value at the end of the path, ready to be sent. */
  follow(path: unknown): Promise<unknown>
}

/** Each is kept until the code has ended. */
const maxObjects = 20_000

/** `callBack` calls a function of the other process by its number. */
export function createObjects(
  roots: Readonly<Record<string, object>>,
  callBack: (number: number, given: readonly unknown[]) => Promise<unknown>,
): Objects {
  const known = new Map<string, object>(Object.entries(roots))
  const ids = new Map<object, string>(Object.entries(roots).map(([id, object]) => [object, id]))
  const callbacks = new Map<number, Callable>()

  function encode(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return plain(value)
    if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString('base64') }
    if (value instanceof Error) return value.message
    if (value instanceof Date) return value.toISOString()
    if (Array.isArray(value)) return value.map(encode)
    if (!isOfPlaywright(value))
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, encode(each)]))
    if (known.size > maxObjects) throw new Error('The code holds too many objects of the page.')
    const id = ids.get(value) ?? `o${ids.size}`
    ids.set(value, id)
    known.set(id, value)
    return { $object: id, properties: propertiesOf(value) }
  }

  async function decode(value: unknown): Promise<unknown> {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return Promise.all(value.map(decode))
    const given = value as Members
    if ('$regular' in given) return new RegExp(String(given['$regular']), String(given['flags']))
    if ('$bytes' in given) return Buffer.from(String(given['$bytes']), 'base64')
    if ('$path' in given) return reach(given['$path'])
    if ('$callback' in given) return callbackOf(Number(given['$callback']))
    const pairs = Object.entries(given).map(async ([key, each]) => [key, await decode(each)] as const)
    return Object.fromEntries(await Promise.all(pairs))
  }

  /** The same function each time, so that a listener can be removed. */
  function callbackOf(number: number): Callable {
    const made = callbacks.get(number) ?? (async (...given) => decode(await callBack(number, given.map(encode))))
    callbacks.set(number, made)
    return made
  }

  async function reach(path: unknown): Promise<unknown> {
    let at: unknown
    for (const [kind, name, given] of path as CallPath) {
      if (kind === 'object') at = known.get(name)
      else {
        const member = memberOf(at, name)
        const values = kind === 'call' ? ((await decode(given)) as unknown[]) : []
        const script = kind === 'call' ? scriptAt[name] : undefined
        if (script !== undefined) values[script] = calledInPage(values[script])
        if (kind === 'call' && typeof member !== 'function') throw new Error(`'${name}' is not callable`)
        at = await (typeof member === 'function' ? (Reflect.apply(member as Callable, at, values) as unknown) : member)
      }
    }
    return at
  }

  return { follow: async (path) => encode(await reach(path)) }
}

function memberOf(object: unknown, name: string): unknown {
  const isMember =
    typeof object === 'object' &&
    object !== null &&
    isOfPlaywright(object) &&
    !name.startsWith('_') &&
    name in object &&
    !(name in Object.prototype)
  if (!isMember) throw new Error(`'${name}' is not there`)
  return (object as Members)[name]
}

/** An object of a class that neither JavaScript nor Node has. */
function isOfPlaywright(value: object): boolean {
  const maker: unknown = (Object.getPrototypeOf(value) as { constructor?: unknown } | null)?.constructor
  const isOurs = typeof maker === 'function' && !Function.prototype.toString.call(maker).includes('[native code]')
  return isOurs && !(value instanceof EventEmitter)
}

/** Where these methods take a script. */
const scriptAt: Readonly<Record<string, number | undefined>> = {
  evaluate: 0,
  evaluateAll: 0,
  evaluateHandle: 0,
  waitForFunction: 0,
  $eval: 1,
  $$eval: 1,
}

/** From other languages functions come as text, too: a page calls what is one. Statements stay as they are. */
function calledInPage(script: unknown): unknown {
  if (typeof script !== 'string') return script
  try {
    compileFunction(`return (${script}\n)`)
  } catch {
    return script
  }
  const text = `(...given) => { const it = (${script}\n); return typeof it === 'function' ? it(...given) : it }`
  return Object.assign(() => {}, { toString: () => text })
}

/** Attributes in Python, functions without arguments in JavaScript. */
const properties = (
  'args backgroundPages browser browserType childFrames clock context contexts coverage defaultValue devices element ' +
  'error failure first frames fromServiceWorker headers keyboard last location mainFrame message method mouse name ok ' +
  'owner page pages parentFrame postData postDataBuffer postDataJSON redirectedFrom redirectedTo request resourceType ' +
  'serviceWorker serviceWorkers status statusText suggestedFilename timing touchscreen tracing url version video ' +
  'viewportSize workers'
).split(' ')
/** Methods of some classes, too: attributes of those that have the other name. */
const dependent: readonly (readonly [name: string, other: string])[] = [
  ['contentFrame', 'nth'],
  ['frame', 'headers'],
  ['text', 'args'],
  ['type', 'args'],
  ['type', 'dismiss'],
]

const propertiesOf = (value: object): string[] => [
  ...properties.filter((name) => name in value),
  ...dependent.filter(([name, other]) => name in value && other in value).map(([name]) => name),
]

/** Numbers that JSON does not have; what cannot be sent is nothing. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)))
    return { $number: String(value) }
  return typeof value === 'function' || typeof value === 'symbol' ? null : (value ?? null)
}
