/** Has the name of Playwright's own, which code may check for. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** The call failed because the page navigated meanwhile, so a retry may succeed. */
export const isNavigating = (thrown: unknown): boolean =>
  thrown instanceof Error &&
  /context was destroyed|cannot find (?:default execution )?context|target navigated|promise was collected|Could not find object/i.test(
    thrown.message,
  )

const builtIn =
  'is not in the part of the Playwright API that is built in for Python and agent-browser; node code has all of it.'
const quietKeys = new Set([
  'then',
  'catch',
  'finally',
  'toJSON',
  'inspect',
  'constructor',
  'asymmetricMatch',
  'nodeType',
  'length',
])

/** Access to a member that is not implemented throws an error that says so, instead of "is not a function". */
export function rejectUnknown<T extends object>(name: string, object: T): T {
  return new Proxy(object, {
    get(target, key) {
      if (key in target || typeof key === 'symbol' || quietKeys.has(key)) return Reflect.get(target, key)
      throw new Error(`${name}.${key} ${builtIn}`)
    },
  })
}
