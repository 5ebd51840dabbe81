/** `waiting`: no one has answered; the request stays visible. */
export type PersonAnswer = 'done' | 'declined' | 'waiting'
export type ShownRequest = { readonly id: number; readonly message: string }
type Request = ShownRequest & { answered?: 'done' | 'declined'; settle?: (as: PersonAnswer) => void }

/** Maximum number of kept requests that no agent waits for; the newest are kept. */
const maxLeft = 10

export function createRequests(changed: () => void) {
  let all: readonly Request[] = []
  let count = 0
  const open = () => all.filter(({ answered }) => answered === undefined)
  /** Returns the newest request that an agent waits for, otherwise the newest one. */
  const newest = (): ShownRequest | undefined => open().findLast(({ settle }) => settle) ?? open().at(-1)

  function remove(request: Request): void {
    all = all.filter((each) => each !== request)
    changed()
  }

  function wait(request: Request, patienceMs: number, signal: AbortSignal): Promise<PersonAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<PersonAnswer>()
    const stop = () => {
      remove(request)
      reject(signal.reason)
    }
    const late = setTimeout(() => request.settle?.('waiting'), Math.min(patienceMs, longestMs)).unref()
    signal.addEventListener('abort', stop, { once: true })
    request.settle = (as) => {
      delete request.settle
      if (as !== 'waiting') remove(request)
      resolve(as)
    }
    return promise.finally(() => {
      clearTimeout(late)
      signal.removeEventListener('abort', stop)
    })
  }

  return {
    shown: newest,
    answer(id: number, as: 'done' | 'declined') {
      const request = open().find((each) => each.id === id)
      if (!request) return
      request.answered = as
      request.settle?.(as)
      changed()
    },
    /** Shows a request until it is answered, or `waiting` after `patienceMs`; repeating it returns a later answer. */
    async ask(message: string, patienceMs: number, signal: AbortSignal): Promise<PersonAnswer> {
      signal.throwIfAborted()
      const left = all.find((each) => each.message === message && !each.settle)
      if (left?.answered) {
        remove(left)
        return left.answered
      }
      const request = left ?? { id: ++count, message }
      if (!left) all = withNewest(all, request)
      const answer = wait(request, patienceMs, signal)
      changed()
      return answer
    },
    forget() {
      all = all.filter(({ settle }) => settle)
      changed()
    },
  }
}

function withNewest(all: readonly Request[], request: Request): readonly Request[] {
  const left = all.filter(({ settle }) => !settle).slice(-maxLeft)
  return [...all.filter((each) => each.settle || left.includes(each)), request]
}

/** Maximum delay of a timer. */
const longestMs = 2 ** 31 - 1
