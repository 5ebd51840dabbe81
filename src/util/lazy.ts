export type Lazy<T> = (() => Promise<T>) & {
  /** Closes the value if it was ever made. */
  close(end: (value: T) => Promise<void>): Promise<void>
}

/** Runs `make` on the first call and returns its result to every call; after an error the next call tries again. */
export function once<T>(make: () => Promise<T>): Lazy<T> {
  let made: Promise<T> | undefined
  const get = () => {
    made ??= make().catch((cause: unknown) => {
      made = undefined
      throw cause
    })
    return made
  }
  return Object.assign(get, {
    close: async (end: (value: T) => Promise<void>) => {
      if (made) await end(await made)
    },
  })
}

type AsyncFunctions<T> = {
  [K in keyof T]: T[K] extends (...args: infer A) => Promise<infer R> ? (...args: A) => Promise<R> : never
}

/** The names of all functions of a port: a missing one does not compile. */
type NamesOf<T> = Readonly<Record<keyof T & string, true>>

/** A port that is opened when one of its functions is first called, so that nothing heavy is loaded at start. */
export function lazyPort<T extends AsyncFunctions<T>>(open: () => Promise<T>, names: NamesOf<T>): T {
  const call =
    (name: keyof T) =>
    async (...args: unknown[]) => {
      const port = await open()
      return (port[name] as (...args: unknown[]) => Promise<unknown>)(...args)
    }
  return Object.fromEntries(Object.keys(names).map((name) => [name, call(name as keyof T)])) as unknown as T
}
