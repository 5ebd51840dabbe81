import { readdir, readFile } from 'node:fs/promises'

/**
 * Anonymous memory of all processes of a group, MB; memory that they share counts for each. 0 where it is unknown (only
 * Linux tells it, through /proc).
 */
export async function groupMemoryMb(groupId: number): Promise<number> {
  if (process.platform !== 'linux') return 0
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const sizes = await Promise.all(ids.map((id) => memberMb(id, groupId).catch(() => 0)))
  return sizes.reduce((sum, size) => sum + size, 0)
}

async function memberMb(id: string, groupId: number): Promise<number> {
  // The process name may hold spaces and brackets: the fields start after the last bracket (proc(5)).
  const stat = await readFile(`/proc/${id}/stat`, 'utf8')
  const [, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (Number(group) !== groupId) return 0
  const status = await readFile(`/proc/${id}/status`, 'utf8')
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}
