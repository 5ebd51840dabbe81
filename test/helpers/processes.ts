import { readdirSync, readFileSync } from 'node:fs'

/** Returns the running processes below one, at any depth, without zombies; Linux only. */
export function processesBelow(pid: number): number[] {
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statusOf(Number(name)) ?? [])
  const below = (parent: number): number[] =>
    running.flatMap((each) => (each.parent === parent ? [each.pid, ...below(each.pid)] : []))
  return below(pid)
}

function statusOf(pid: number): { pid: number; parent: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])
    return /^State:\s+Z/m.test(status) ? undefined : { pid, parent }
  } catch {
    return undefined
  }
}

export const isAlive = (pid: number): boolean => statusOf(pid) !== undefined

/** Returns the memory of a process in bytes; Linux only. */
export function memoryOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
}

/** Waits until a condition is true; the test's own time limit ends the wait. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10))
}
