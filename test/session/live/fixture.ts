import { expect, test as base } from 'vitest'
import { openStand, type Stand } from './stand.ts'

let count = 0

/** Opens a page in the session, and a viewer that shows it. */
export async function shownIn(
  stand: Stand,
  path: string,
  role: 'view' | 'control' = 'control',
  options: Parameters<Stand['view']>[1] = {},
) {
  // Distinguishes the page from those of other tests.
  const address = `${path}?${++count}`
  const shown = await stand.open(address)
  const viewer = await stand.view(role, options)
  await expect.poll(() => viewer.page.locator('#address').inputValue()).toContain(address)
  const press = async (x: number, y: number, more: Parameters<typeof viewer.page.mouse.click>[2] = {}) => {
    const spot = await viewer.at(x, y)
    await viewer.page.mouse.click(spot.x, spot.y, more)
  }
  return { shown, ...viewer, press, seen: () => shown.value('seen') as Promise<string[]> }
}

/** All tests share one session and one browser for viewers; each has its own tabs and viewers. */
export const test = base
  .extend<{ all: Stand }>({
    all: [
      // oxlint-disable-next-line no-empty-pattern -- vitest requires a pattern
      async ({}, use) => {
        const stand = await openStand()
        await use(stand)
        await stand.close()
      },
      { scope: 'file' },
    ],
  })
  .extend<{ stand: Stand }>({
    stand: async ({ all }, use) => {
      await use(all)
      for (const context of all.viewers.contexts()) await context.close()
      await all.closeTabs()
    },
  })
