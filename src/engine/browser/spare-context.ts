import { type ContextWish, openTab, type OpenTab } from './context.ts'
import type { Browser } from './launch/types.ts'

const spareMs = 5000

/** A context that is opened ahead hides the time this takes; it is for the next page that wants the same. */
export function createSpare({ connection }: Browser) {
  let spare: { key: string; opening: Promise<OpenTab> } | undefined
  return {
    prepare(wish: ContextWish): void {
      const key = JSON.stringify(wish)
      if (spare?.key === key) return
      void spare?.opening.then((opened) => opened.close()).catch(() => undefined)
      const opening = openTab(connection, wish, AbortSignal.timeout(spareMs))
      const made = { key, opening }
      opening.catch(() => {
        if (spare === made) spare = undefined
      })
      spare = made
    },
    async take(wish: ContextWish, signal: AbortSignal): Promise<OpenTab> {
      if (spare?.key !== JSON.stringify(wish)) return openTab(connection, wish, signal)
      const { opening } = spare
      spare = undefined
      return opening.catch(() => openTab(connection, wish, signal))
    },
  }
}
