import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Entry points of programs, threads and child processes, and files read as text. */
const roots = /^(?:start|main|page-script|autoconsent|[\w-]+-(?:worker|child))\.js$/

/** Removes the named, lazily loaded parts of the program from `dist`, along with files that only they need. */
export function leaveOut(parts: readonly string[], dist: string): void {
  const files = readdirSync(dist).filter((name) => name.endsWith('.js'))
  const isPart = (name: string) => parts.some((part) => name.startsWith(`${part}-`))
  const missing = parts.filter((part) => !files.some((name) => name.startsWith(`${part}-`)))
  if (missing.length > 0) throw new Error(`There is no such part of the program: ${missing.join(', ')}`)
  const needed = new Set<string>()
  const need = (name: string) => {
    if (needed.has(name) || isPart(name)) return
    needed.add(name)
    const text = readFileSync(join(dist, name), 'utf8')
    for (const [, other = ''] of text.matchAll(/["'`]\.\/([\w.-]+\.js)["'`]/g)) if (files.includes(other)) need(other)
  }
  for (const name of files) if (roots.test(name)) need(name)
  for (const name of files) if (!needed.has(name)) rmSync(join(dist, name))
}
