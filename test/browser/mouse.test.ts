import { expect, test } from 'vitest'
import type { Session } from '../../src/engine/browser/cdp/cdp-session.ts'
import { createMouse, type Pace } from '../../src/engine/browser/input/mouse-and-keyboard.ts'

const never = new AbortController().signal
type Move = { x: number; y: number }

function page(pace: Pace) {
  const moves: Move[] = []
  const session = { send: async (_: string, { x, y }: Move) => void moves.push({ x, y }) } as unknown as Session
  return { moves, mouse: createMouse(session, { pace }) }
}

test('a program moves the mouse in one step', async () => {
  const { moves, mouse } = page('machine')
  await mouse.move({ x: 300, y: 200 }, {}, never)
  expect(moves).toEqual([{ x: 300, y: 200 }])
})

test('a person moves it in many steps, never the same way twice, and always arrives', async () => {
  const ways = await Promise.all(
    [1, 2].map(async () => {
      const { moves, mouse } = page('person')
      await mouse.move({ x: 300, y: 200 }, {}, never)
      return moves
    }),
  )
  for (const moves of ways) {
    expect(moves.length).toBeGreaterThan(5)
    expect(moves.at(-1)).toEqual({ x: 300, y: 200 })
  }
  expect(ways[0]).not.toEqual(ways[1])
})

test('a person continues from the position of the mouse', async () => {
  const { moves, mouse } = page('person')
  await mouse.move({ x: 900, y: 700 }, {}, never)
  const before = moves.length
  await mouse.move({ x: 905, y: 702 }, {}, never)
  expect(moves[before]!.x).toBeGreaterThan(800)
})
