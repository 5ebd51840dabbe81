import { type Contestant, contestants as servers, ourServer } from '../lib/contestants.ts'
import type { Hand } from './hand.ts'
import { createOurs, execute, type Session } from './ours.ts'
import { createPeer, runCode } from './peer.ts'
import type { Task } from './task.ts'

/** Way in which a contestant's tools are used. */
export type Style = 'tools' | 'code'
export type Solve = (task: Task, hand: Hand, session: Session) => Promise<unknown>
export type Player = {
  name: string
  solve: Readonly<Record<Style, Solve>>
  server: Contestant
}

const peerName = '@playwright/mcp'

/** Both contestants drive the same browser, without a window. */
export function players(file: string, workDir: string, browser: string): Readonly<Record<'ours' | 'peer', Player>> {
  const peer = servers(file, workDir).find(({ name }) => name === peerName)
  if (!peer) throw new Error(`${peerName} is not installed`)
  const flags = ['--headless', '--isolated', '--no-sandbox', '--executable-path', browser]
  return {
    ours: {
      name: 'gossamer',
      server: ourServer(file, workDir, { GOSSAMER_ALLOW_HOSTS: '127.0.0.1', GOSSAMER_BROWSER_PATH: browser }),
      solve: {
        tools: (task, hand, session) => task.acts(createOurs(hand, session)),
        code: coded(execute),
      },
    },
    peer: {
      name: peerName,
      server: { ...peer, args: [...peer.args, ...flags] },
      solve: {
        tools: (task, hand, { origin }) => task.refs(createPeer(hand, origin)),
        code: coded(runCode),
      },
    },
  }
}

type RunCode = (hand: Hand, code: string, session: Session) => Promise<string>

const coded =
  (run: RunCode): Solve =>
  (task, hand, session) =>
    task.code((code) => {
      requireTold(hand, code)
      return run(hand, placed(code, session), session)
    })

const placed = (code: string, { origin }: Session) => code.replaceAll("goto('/", `goto('${origin}/`)

/** Fails if the texts that the code searches for were not shown before. */
function requireTold(hand: Hand, code: string): void {
  for (const [, words = ''] of code.matchAll(
    /(?:getBy(?:Label|Text|Placeholder)\(|name: |hasText: |Option\()'([^']+)'/g,
  ))
    hand.requireTold(words.replace(/:$/, ''))
}
