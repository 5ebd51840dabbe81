import { useCallback, useEffect, useRef, useState } from 'preact/hooks'

export type Polled<T> = { value: T | undefined; fault: unknown; refresh(): void }

/** Asks again and again while the window is seen; `everyMs` 0 asks once. What came before stays until there is news. */
export function usePolled<T>(ask: (signal: AbortSignal) => Promise<T>, everyMs: number, about: string): Polled<T> {
  const [state, setState] = useState<{ value?: T; fault?: unknown; about: string }>({ about })
  const [turn, setTurn] = useState(0)
  const latest = useRef(ask)
  latest.current = ask
  useEffect(() => {
    const gone = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    async function once(): Promise<void> {
      if (!document.hidden) {
        try {
          const value = await latest.current(gone.signal)
          if (!gone.signal.aborted) setState({ value, about })
        } catch (fault) {
          if (!gone.signal.aborted) setState((before) => ({ ...before, fault, about }))
        }
      }
      if (everyMs > 0 && !gone.signal.aborted) timer = setTimeout(() => void once(), everyMs)
    }
    void once()
    return () => {
      gone.abort()
      clearTimeout(timer)
    }
  }, [everyMs, about, turn])
  const refresh = useCallback(() => setTurn((before) => before + 1), [])
  const isCurrent = state.about === about
  return { value: isCurrent ? state.value : undefined, fault: isCurrent ? state.fault : undefined, refresh }
}
