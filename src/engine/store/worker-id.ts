import { hostname } from 'node:os'
import { errorCode } from '../../kernel/error.ts'

/** Identifies this process, so that another one on this machine sees when it has died and need not wait for its leases to end. */
export const newWorkerId = (): string => `${thisProcess()} ${crypto.randomUUID()}`

export const thisProcess = (): string => [hostname(), process.pid, startedAt()].join(' ')
export const processOf = (workerId: string): string => workerId.split(' ').slice(0, 3).join(' ')

/** Also of one of its threads. */
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

/** Process ids are reused; together with the start time they are not. */
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
