import { readdir, readFile } from 'node:fs/promises'

/**
 * Memory of all processes of a group in MB, each page of memory they share counted once for each; 0 where the system does
 * not tell (only Linux does, through /proc).
 */
export async function groupMemoryMb(groupId: number): Promise<number> {
  if (process.platform !== 'linux') return 0
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const sizes = await Promise.all(ids.map((id) => memberMb(id, groupId).catch(() => 0)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function memberMb(id: string, groupId: number): Promise<number> {
  // The name may hold anything, spaces and brackets included: what counts follows the last bracket (proc(5)).
  const stat = await readFile(`/proc/${id}/stat`, 'utf8')
  const [, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (Number(group) !== groupId) return 0
  const status = await readFile(`/proc/${id}/status`, 'utf8')
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}
