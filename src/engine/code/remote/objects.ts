/**
 * Calls from another process on objects of the API. A path starts at an object that was handed out and follows own members
 * only, so that nothing but the API can be reached.
 */
type CallPath = readonly (
  | readonly ['object', string]
  | readonly ['get', string]
  | readonly ['call', string, readonly unknown[]]
)[]
type Callable = (...given: unknown[]) => unknown
type Api = Record<string, unknown>

export type Objects = {
  /** The value at the end of the path, ready to be sent. */
  follow(path: unknown): Promise<unknown>
  encode(value: unknown): unknown
}

/** Each is kept until the code has ended. */
const maxObjects = 20_000

/** `notify` calls a function of the other process by its number, with one argument. */
export function createObjects(
  roots: Readonly<Record<string, object>>,
  notify: (callback: number, argument: unknown) => void,
): Objects {
  const known = new Map<string, object>(Object.entries(roots))
  const ids = new Map<object, string>(Object.entries(roots).map(([id, object]) => [object, id]))

  function encode(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return plain(value)
    if (Buffer.isBuffer(value)) return { $bytes: value.toString('base64') }
    if (value instanceof Error) return value.message
    if (Array.isArray(value)) return value.map(encode)
    if (!isApi(value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, encode(each)]))
    if (known.size > maxObjects) throw new Error('The code holds too many objects of the page.')
    const id = ids.get(value) ?? `o${ids.size}`
    ids.set(value, id)
    known.set(id, value)
    return { $object: id, attributes: attributesOf(value as Api) }
  }

  async function decode(value: unknown): Promise<unknown> {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return Promise.all(value.map(decode))
    const given = value as Record<string, unknown>
    if ('$regular' in given) return new RegExp(String(given['$regular']), String(given['flags']))
    if ('$path' in given) return reach(given['$path'])
    if ('$callback' in given) return (argument: unknown) => notify(Number(given['$callback']), encode(argument))
    const pairs = Object.entries(given).map(async ([key, each]) => [key, await decode(each)] as const)
    return Object.fromEntries(await Promise.all(pairs))
  }

  async function reach(path: unknown): Promise<unknown> {
    let at: unknown
    for (const [kind, name, given] of path as CallPath) {
      if (kind === 'object') at = known.get(name)
      else {
        const member = memberOf(at, name)
        const values = kind === 'call' ? ((await decode(given)) as unknown[]) : []
        if (kind === 'call' && typeof member !== 'function') throw new Error(`'${name}' is not callable`)
        at = await (typeof member === 'function' ? (member as Callable)(...values) : member)
      }
    }
    return at
  }

  return { encode, follow: async (path) => encode(await reach(path)) }
}

function memberOf(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null || !isApi(object)) throw new Error(`'${name}' is not there`)
  if (Object.hasOwn(object, name)) return (object as Api)[name]
  // The API says itself what it does not have.
  if (!(name in object)) void (object as Api)[name]
  throw new Error(`'${name}' is not there`)
}

const isApi = (value: object) => Object.values(value).some((each) => typeof each === 'function')

/** Numbers that JSON does not have; what cannot be sent is nothing. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)))
    return { $number: String(value) }
  return typeof value === 'function' || typeof value === 'symbol' ? null : (value ?? null)
}

/** Attributes in Python, functions without arguments in JavaScript. */
const attributes = ['message', 'type', 'defaultValue', 'text', 'status', 'ok', 'url'] as const
function attributesOf(value: Api): Record<string, unknown> {
  const isEvent = 'dismiss' in value || 'location' in value || 'status' in value
  if (!isEvent) return {}
  const own = attributes.filter((name) => Object.hasOwn(value, name))
  return Object.fromEntries(own.map((name) => [name, (value[name] as Callable)()]))
}
