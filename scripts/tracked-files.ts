/** Rejects files added to the repository by accident: large ones and unknown top-level entries. */
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

type TrackedFile = { path: string; bytes: number }

const maxBytes = 1_000_000
const topLevel = new Set(
  `.ci .dockerignore .github .gitignore .npmrc .oxfmtrc.json .oxlintrc.json AGENTS.md CHANGELOG.md CONTRIBUTING.md
  Dockerfile LICENSE README.md SECURITY.md bench bin compose.yaml deploy docs examples icon.png knip.json manifest.json
  package-lock.json package.json scripts server.json skills src test tools vitest.config.ts`.split(/\s+/),
)
const isKnown = (entry: string) => topLevel.has(entry) || /^tsconfig[\w.-]*\.json$/.test(entry)

/** Faults of these files, one sentence each. */
export function trackedFileErrors(files: readonly TrackedFile[]): string[] {
  const entries = [...new Set(files.map(({ path }) => path.split('/', 1)[0] ?? path))]
  return [
    ...entries.filter((entry) => !isKnown(entry)).map((entry) => `${entry}: unknown entry at the top level.`),
    ...files
      .filter(({ bytes }) => bytes > maxBytes)
      .map(({ path, bytes }) => `${path}: ${bytes} bytes; tracked files have at most ${maxBytes}.`),
  ]
}

function trackedFiles(root: string): TrackedFile[] {
  const listed = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0')
  const paths = listed.filter((path) => path !== '' && existsSync(join(root, path)))
  return paths.map((path) => ({ path, bytes: statSync(join(root, path)).size }))
}

if (import.meta.main) {
  const errors = trackedFileErrors(trackedFiles(dirname(import.meta.dirname)))
  for (const error of errors) console.error(error)
  if (errors.length > 0) process.exitCode = 1
}
