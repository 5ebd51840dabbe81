import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { outsideLinks, packageReadme } from './outside-links.ts'

const Json = z.record(z.string(), z.unknown())
const PackageJson = Json.and(z.object({ files: z.array(z.string()) }))

const read = (path: string) => Json.parse(JSON.parse(readFileSync(path, 'utf8')))

/** The URL of the repository in a browser: without `git+`, `.git` and a trailing slash. */
export function repositoryUrl(given: string): string {
  const url = given.replace(/^git\+/, '').replace(/(?:\.git)?\/?$/, '')
  if (URL.canParse(url) && new URL(url).protocol === 'https:') return url
  throw new Error(`--repository takes an https URL, such as https://github.com/OWNER/gossamer, but got: ${given}`)
}

/** Writes the published files to `folder`: the build from `dist` and the metadata with the repository URL. */
export function stage(folder: string, dist: string, repository: string | undefined): void {
  const { files, ...facts } = PackageJson.parse(read('package.json'))
  const [left, taken] = [files.filter((path) => path.startsWith('!')), files.filter((path) => !path.startsWith('!'))]
  const isTaken = (path: string) => !left.includes(`!${path.replaceAll('\\', '/')}`)
  for (const path of [...taken, 'LICENSE'])
    cpSync(path === 'dist' ? dist : path, join(folder, path), { recursive: true, filter: isTaken })
  const write = (path: string, value: object) =>
    writeFileSync(join(folder, path), `${JSON.stringify(value, null, 2)}\n`)
  writeFileSync(join(folder, 'README.md'), outsideLinks(packageReadme(readFileSync('README.md', 'utf8')), repository))
  write('package.json', { ...facts, files, ...(repository !== undefined && packageNames(repository)) })
  if (repository === undefined) return
  write('manifest.json', { ...read('manifest.json'), repository: { type: 'git', url: repository } })
  write('server.json', { ...read('server.json'), repository: { url: repository, source: hostName(repository) } })
}

const packageNames = (repository: string) => ({
  repository: { type: 'git', url: `git+${repository}.git` },
  homepage: `${repository}#readme`,
  bugs: { url: `${repository}/issues` },
})

/** The registry identifies hosts by name: `github` for github.com. */
const hostName = (url: string) => new URL(url).hostname.replace(/\.[^.]+$/, '')
