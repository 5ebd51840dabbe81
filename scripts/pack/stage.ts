import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { packageReadme } from './package-readme.ts'

const PackageJson = z.object({ files: z.array(z.string()), homepage: z.string() })

/** Writes the published files to `folder`, with the build from `dist`. */
export function stage(folder: string, dist: string): void {
  const { files, homepage } = PackageJson.parse(JSON.parse(readFileSync('package.json', 'utf8')))
  const [left, taken] = [files.filter((path) => path.startsWith('!')), files.filter((path) => !path.startsWith('!'))]
  const isTaken = (path: string) => !left.includes(`!${path.replaceAll('\\', '/')}`)
  for (const path of [...taken, 'package.json', 'LICENSE'])
    cpSync(path === 'dist' ? dist : path, join(folder, path), { recursive: true, filter: isTaken })
  writeFileSync(
    join(folder, 'README.md'),
    packageReadme(readFileSync('README.md', 'utf8'), homepage.replace('#readme', '')),
  )
}
