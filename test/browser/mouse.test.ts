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

test('at the pace of a machine, the mouse moves in one step', async () => {
  const { moves, mouse } = page('machine')
  await mouse.move({ x: 300, y: 200 }, {}, never)
  expect(moves).toEqual([{ x: 300, y: 200 }])
})

test('at the pace of a person, the mouse moves to its goal in many steps, each time on another path', async () => {
  const paths = await Promise.all(
    [1, 2].map(async () => {
      const { moves, mouse } = page('person')
      await mouse.move({ x: 300, y: 200 }, {}, never)
      return moves
    }),
  )
  for (const moves of paths) {
    expect(moves.length).toBeGreaterThan(5)
    expect(moves.at(-1)).toEqual({ x: 300, y: 200 })
  }
  expect(paths[0]).not.toEqual(paths[1])
})

test('at the pace of a person, the mouse continues from its position', async () => {
  const { moves, mouse } = page('person')
  await mouse.move({ x: 900, y: 700 }, {}, never)
  const before = moves.length
  await mouse.move({ x: 905, y: 702 }, {}, never)
  expect(moves[before]!.x).toBeGreaterThan(800)
})
