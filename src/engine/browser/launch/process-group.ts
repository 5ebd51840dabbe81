import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 5

/** Kills all processes of a group by the id of its leader. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  if (process.platform !== 'win32') return void signalGroup(pid, 'SIGKILL')
  spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => {})
}

/** Resolves when the whole group is gone, or after `ms`, because zombies may never be reaped. */
export async function untilGroupGone(pid: number | undefined, ms: number): Promise<void> {
  if (pid === undefined || process.platform === 'win32') return
  const until = performance.now() + ms
  while (signalGroup(pid, 0) && performance.now() < until) await sleep(pollMs)
}

function signalGroup(pid: number, signal: 'SIGKILL' | 0): boolean {
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}
