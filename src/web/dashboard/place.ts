import { useEffect, useState } from 'preact/hooks'

const query = () => new URLSearchParams(location.hash.split('?')[1])

/** State that is stored in the query of the address, so it survives going back and reloading. */
export function useChoice<T extends string>(name: string, fallback: T): [T, (value: T) => void] {
  const [value, setValue] = useState(() => (query().get(name) ?? fallback) as T)
  function choose(next: T): void {
    const all = query()
    if (next === fallback) all.delete(name)
    else all.set(name, next)
    const path = location.hash.replace(/\?.*/, '') || '#/'
    replaceAddress(path + (all.size > 0 ? `?${all}` : ''))
    setValue(next)
  }
  return [value, choose]
}

/** Changes the address without showing another view. */
export const replaceAddress = (hash: string) => history.replaceState(history.state, '', hash)

export function useTitle(text: string): void {
  useEffect(() => void (document.title = `${text} · Gossamer`), [text])
}

type Scrolled = { page: number; list: number }

const list = () => document.querySelector('.list')
let isRestoring = false
let saving: ReturnType<typeof setTimeout> | undefined

const save = () => history.replaceState({ page: scrollY, list: list()?.scrollTop ?? 0 } satisfies Scrolled, '')

function onScroll(): void {
  clearTimeout(saving)
  if (!isRestoring) saving = setTimeout(save, 100)
}

/** Stores in the browser history how far each view is scrolled. */
export function keepScroll(): void {
  history.scrollRestoration = 'manual'
  addEventListener('scroll', onScroll, { capture: true, passive: true })
}

/**
 * Returns true if the view was shown before. Scrolls it to the same place as soon as its content is long enough, and
 * gives up after five seconds or when the user does anything.
 */
export function restoreScroll(): boolean {
  clearTimeout(saving)
  const { page, list: inList } = (history.state ?? {}) as Partial<Scrolled>
  scrollTo(0, 0)
  if (page === undefined || inList === undefined) return false
  isRestoring = true
  let left = 100
  const timer = setInterval(() => {
    left -= 1
    scrollTo(0, page)
    list()?.scrollTo(0, inList)
    const isReached = Math.abs(scrollY - page) < 2 && Math.abs((list()?.scrollTop ?? 0) - inList) < 2
    if (isReached || left === 0) stop()
  }, 50)
  const listening = new AbortController()
  function stop(): void {
    clearInterval(timer)
    isRestoring = false
    listening.abort()
  }
  for (const kind of ['wheel', 'keydown', 'pointerdown', 'hashchange']) addEventListener(kind, stop, listening)
  return true
}
