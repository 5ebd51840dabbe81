import { hostname } from 'node:os'
import { errorCode } from '../../kernel/error.ts'

/**
 * Returns an id of this process, by which other processes on this machine detect its death without waiting for its
 * leases to expire.
 */
export const newWorkerId = (): string => `${thisProcess()} ${crypto.randomUUID()}`

export const thisProcess = (): string => [hostname(), process.pid, startedAt()].join(' ')
export const processOf = (workerId: string): string => workerId.split(' ').slice(0, 3).join(' ')

/** True if the worker is this process or one of its threads. */
export function isOfThisProcess(workerId: string): boolean {
  const [host, pid] = workerId.split(' ')
  return host === hostname() && Number(pid) === process.pid
}

/** True only if the worker ran on this machine and its process is gone. */
export function hasDied(workerId: string): boolean {
  const [host, pid, started] = workerId.split(' ')
  if (host !== hostname() || pid === undefined) return false
  if (Number(pid) === process.pid) return started !== startedAt()
  return !isAlive(Number(pid))
}

/** Start time of this process, because process ids are reused. */
const startedAt = () => String(Math.round(performance.timeOrigin))

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user cannot be signalled, but it exists.
    return errorCode(error) === 'EPERM'
  }
}
