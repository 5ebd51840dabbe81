/**
 * `npm run release -- VERSION [--dry-run] [--out FOLDER]`: creates a release in a temporary clone, and
 * transfers its commit, tag and packages here at the end. It publishes nothing, but prints the commands that do.
 * `--dry-run` shows the result without changing anything; with it, `--dist FOLDER` skips the build.
 */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { nextChangelog } from './release/changelog.ts'
import { readRequest, type Request } from './release/request.ts'
import { refusals } from './release/refusals.ts'
import { bringHome, changesOf, cloneInto, commitRelease, messageOf, tagOf } from './release/repository.ts'
import { isPrerelease, setVersion } from './release/version.ts'

const root = dirname(import.meta.dirname)

/** Applies all changes of the release in the clone. Returns the changelog entry. */
function prepare(clone: string, version: string): string {
  setVersion(clone, version)
  const path = join(clone, 'CHANGELOG.md')
  const today = new Date().toISOString().slice(0, 10)
  const { changelog, entry } = nextChangelog(readFileSync(path, 'utf8'), version, today)
  writeFileSync(path, changelog)
  runIn(clone, 'npm', 'run', 'gen')
  return entry
}

function pack(clone: string, packed: string, { dist }: Request): void {
  if (dist === undefined) runIn(clone, 'npm', 'run', 'build')
  runIn(clone, process.execPath, 'scripts/pack.ts', '--out', packed, '--dist', dist ?? join(clone, 'dist'))
}

/** Sends the programs' output to stderr: stdout is reserved for the result. */
const runIn = (folder: string, program: string, ...words: string[]) =>
  execFileSync(program, words, { cwd: folder, stdio: ['inherit', 2, 2] })

function copyTo(out: string, packed: string): string[] {
  mkdirSync(out, { recursive: true })
  return readdirSync(packed).map((name) => {
    copyFileSync(join(packed, name), join(out, name))
    return join(out, name)
  })
}

function rehearsalReport(entry: string, packed: string, clone: string, version: string): string {
  const files = readdirSync(packed).map(
    (name) => `  ${name}: ${statSync(join(packed, name)).size.toLocaleString('en')} bytes`,
  )
  return `${entry}
Files:
${files.join('\n')}

Would be committed as "${messageOf(version)}" and tagged ${tagOf(version)}:
${changesOf(clone)}

Rehearsed only: nothing was committed, tagged or published.`
}

function releaseReport(paths: readonly string[], version: string): string {
  const tarball = JSON.stringify(paths.find((path) => path.endsWith('.tgz')))
  // Without a tag, npm would refuse a prerelease or install it by default.
  const tag = isPrerelease(version) ? ' --tag next' : ''
  return `Committed "${messageOf(version)}" and tagged ${tagOf(version)}. Packed:
${paths.map((path) => `  ${path}`).join('\n')}

Nothing is published yet. That is done by:
  git push --follow-tags
  npm publish${tag} ${tarball}
  (cd "$(mktemp -d)" && tar -xf ${tarball} && mcp-publisher publish package/server.json)`
}

function release(request: Request): string {
  const { version, isRehearsal } = request
  const folder = mkdtempSync(join(tmpdir(), 'gossamer-release-'))
  const [clone, packed] = [join(folder, 'gossamer'), join(folder, 'packed')]
  try {
    cloneInto(clone, root)
    const entry = prepare(clone, version)
    pack(clone, packed, request)
    if (isRehearsal) {
      if (request.out !== undefined) copyTo(resolve(request.out), packed)
      return rehearsalReport(entry, packed, clone, version)
    }
    commitRelease(clone, version)
    const paths = copyTo(resolve(request.out ?? '.'), packed)
    try {
      bringHome(clone, root, version)
    } catch (thrown) {
      for (const path of paths) rmSync(path)
      throw thrown
    }
    return releaseReport(paths, version)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

// Ctrl-C stops the child process; this one still removes its temporary folders.
process.on('SIGINT', () => {})
try {
  const request = readRequest(process.argv.slice(2))
  const faults = refusals(root, request.version, request.isRehearsal ? 'rehearsal' : 'release')
  if (faults.length > 0) throw new Error(faults.join('\n'))
  console.log(release(request))
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown)
  process.exitCode = 1
}
