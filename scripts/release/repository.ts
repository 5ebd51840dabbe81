import { execFileSync } from 'node:child_process'
import { appendFileSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/** What a hook of git would have it take for the place of the repository, whatever the folder is. */
const places = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_PREFIX']
const env = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !places.includes(name)))

export const git = (folder: string, ...words: string[]) =>
  execFileSync('git', words, {
    cwd: folder,
    env: env(),
    encoding: 'utf8',
    stdio: ['inherit', 'pipe', 'pipe'],
  }).trimEnd()

/** What git answers, or nothing where it refuses. */
export function gitOrNothing(folder: string, ...words: string[]): string | undefined {
  try {
    return git(folder, ...words)
  } catch {
    return undefined
  }
}

/** A copy within another repository, without one of its own, is none. */
export function isRepository(root: string): boolean {
  const top = gitOrNothing(root, 'rev-parse', '--show-toplevel')
  return top !== undefined && realpathSync(top) === realpathSync(root)
}

/** A clone of what is checked out, with the packages of `root`, and who commits there and how. */
export function cloneInto(clone: string, root: string): void {
  git(root, 'clone', '--quiet', '--local', '--no-checkout', root, clone)
  git(clone, 'checkout', '--quiet', '--detach', git(root, 'rev-parse', 'HEAD'))
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  appendFileSync(join(clone, '.git/info/exclude'), '\nnode_modules\n')
  const settings = gitOrNothing(
    root,
    'config',
    '-z',
    '--get-regexp',
    String.raw`^(user|author|committer|gpg|commit|tag)\.`,
  )
  for (const setting of settings?.split('\0').filter((each) => each !== '') ?? []) {
    const [name = '', ...lines] = setting.split('\n')
    git(clone, 'config', '--add', name, lines.join('\n'))
  }
}

/** The files that a commit would hold, and how much of them changes. */
export function changesOf(clone: string): string {
  git(clone, 'add', '--all')
  return git(clone, 'diff', '--cached', '--stat', 'HEAD')
}

export const messageOf = (version: string) => `release: ${version}`
export const tagOf = (version: string) => `v${version}`

export function commitRelease(clone: string, version: string): void {
  git(clone, 'add', '--all')
  git(clone, 'commit', '--quiet', '--message', messageOf(version))
  // Only tags with a message go along with `git push --follow-tags`.
  git(clone, 'tag', '--annotate', tagOf(version), '--message', messageOf(version))
}

/** Brings tag and commit from the clone into `root`. Where that has moved on meanwhile, it stays as it is. */
export function bringHome(clone: string, root: string, version: string): void {
  const tag = `refs/tags/${tagOf(version)}`
  git(root, 'fetch', '--quiet', '--no-tags', clone, `${tag}:${tag}`)
  if (gitOrNothing(root, 'merge', '--quiet', '--ff-only', tag) !== undefined) return
  git(root, 'tag', '--delete', tagOf(version))
  throw new Error(
    `The branch or its files in ${root} changed while ${version} was packed, so nothing was committed. Run the command again.`,
  )
}
