import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { bundle } from '../build.ts'

/** Runs `serve` in the background until the page is done; other commands run normally. */
const gossamer = `#!/usr/bin/env bash
program=("$HOME/npm/bin/gossamer")
[[ -x \${program[0]} ]] || program=(node "$DOCS_CHECK_ROOT/bin/gossamer.cjs")
[[ " $* " == *" serve "* ]] || exec "\${program[@]}" "$@"
log=$HOME/serve.$$
"\${program[@]}" "$@" >"$log" 2>&1 3>&- &
echo $! >>"$DOCS_CHECK_SERVERS"
for ((i = 0; i < 400; i++)); do
  grep -q 'listens on' "$log" && exit 0
  kill -0 $! 2>/dev/null || break
  sleep 0.05
done
cat "$log" >&2
exit 1
`
const curl = `#!/usr/bin/env bash
exec "$DOCS_CHECK_CURL" --silent --show-error --fail-with-body "$@"
`

const left = new Set(['.docs-check', '.git', 'bench', 'dist', 'node_modules', 'test'])

/** Examples and tools may have their own installed packages. */
const isOurs = (path: string) => basename(path) !== 'node_modules'

/**
 * Copies a checkout without its packages. A copy inside the checkout still resolves them; a symbolic link would let
 * commands such as `npm ci` delete them.
 */
export function copyFiles(root: string, path: string): void {
  for (const name of readdirSync(root))
    if (!left.has(name)) cpSync(join(root, name), join(path, name), { recursive: true, filter: isOurs })
}

/** A freshly built copy of the checkout, since some commands build, pack or write files. */
export async function copyCheckout(root: string): Promise<{ path: string; programs: string; remove(): void }> {
  mkdirSync(join(root, '.docs-check'), { recursive: true })
  const folder = mkdtempSync(join(root, '.docs-check', 'run-'))
  const [path, programs] = [join(folder, 'gossamer'), join(folder, 'programs')]
  copyFiles(root, path)
  await bundle(join(path, 'dist'))
  mkdirSync(programs)
  for (const [name, text] of Object.entries({ gossamer, curl })) {
    writeFileSync(join(programs, name), text)
    chmodSync(join(programs, name), 0o755)
  }
  return { path, programs, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
