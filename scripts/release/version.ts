import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

// Records keep the key order; zod objects would put known keys first.
const Json = z.record(z.string(), z.unknown())
const Versioned = z.object({ version: z.string() })
const Lockfile = z.object({ packages: z.record(z.string(), Json) })

const identifier = String.raw`(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)`
/** Semantic Versioning 2.0 without build metadata, which npm drops, making two versions equal. */
const semver = new RegExp(
  String.raw`^((?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*))(?:-(${identifier}(?:\.${identifier})*))?$`,
)

/**
 * Reason why `wanted` cannot follow `present`, or undefined. Both may be equal if `present` was never released; a tag
 * and the changelog are checked elsewhere.
 */
export function versionFault(wanted: string, present: string): string | undefined {
  if (!semver.test(wanted))
    return `${JSON.stringify(wanted)} is not a version. Give three numbers, and a prerelease if it is one, such as 1.4.0 or 2.0.0-rc.1.`
  if (compareVersions(wanted, present) >= 0) return undefined
  return `${wanted} comes before ${present}, the version in package.json. Give that one if it was never released, or a greater one.`
}

export const isPrerelease = (version: string) => version.includes('-')

/** Semantic Versioning precedence: negative if `one` comes before `other`. */
function compareVersions(one: string, other: string): number {
  const [, core = '', prerelease] = semver.exec(one) ?? []
  const [, otherCore = '', otherPrerelease] = semver.exec(other) ?? []
  const byCore = compareIdentifiers(core.split('.'), otherCore.split('.'))
  if (byCore !== 0) return byCore
  if (prerelease === undefined || otherPrerelease === undefined)
    return Number(prerelease === undefined) - Number(otherPrerelease === undefined)
  return compareIdentifiers(prerelease.split('.'), otherPrerelease.split('.'))
}

function compareIdentifiers(ones: readonly string[], others: readonly string[]): number {
  for (const [place, one] of ones.entries()) {
    const other = others[place]
    if (other === undefined) return 1
    const order = compareIdentifier(one, other)
    if (order !== 0) return order
  }
  return ones.length - others.length
}

/** Numbers precede words. They have no leading zeros, so the longer one is greater, even beyond safe integers. */
function compareIdentifier(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)]
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  if (isNumber && one.length !== other.length) return one.length - other.length
  return one === other ? 0 : one < other ? -1 : 1
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
const write = (path: string, value: object) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)

export const presentVersion = (folder: string) => Versioned.parse(read(join(folder, 'package.json'))).version

/** Sets the version in hand-written files; `npm run gen` updates the derived ones. */
export function setVersion(folder: string, version: string): void {
  const [packagePath, lockPath] = [join(folder, 'package.json'), join(folder, 'package-lock.json')]
  write(packagePath, { ...Json.parse(read(packagePath)), version })
  const { packages } = Lockfile.parse(read(lockPath))
  write(lockPath, {
    ...Json.parse(read(lockPath)),
    version,
    packages: { ...packages, '': { ...packages[''], version } },
  })
}
