import { spawn } from 'node:child_process'
import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { profileFolder, read, save, saver, stateOf } from './programs/profile-folder.ts'

const folder = profileFolder()

async function holder(name: string) {
  const program = join(import.meta.dirname, 'programs/profile-holder.ts')
  const child = spawn(process.execPath, [program, folder.path(), name], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve) => void child.stdout.once('data', resolve))
  const ended = new Promise((resolve) => void child.once('exit', resolve))
  return {
    pid: child.pid,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

const ownLock = async () => {
  const store = folder.store()
  await store.open('team', 'p', saver)
  const path = folder.fileWith('.lock')
  return { store, path, lock: JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown> }
}
const longAgo = (path: string) => utimesSync(path, 1000, 1000)

describe('the lock of a profile', () => {
  test('refuses a second saver, naming the first, and does not affect readers', async () => {
    const store = folder.store()
    await save(store, 'team', 'p', 'one')
    const first = await store.open('team', 'p', { ...saver, by: 'job 1' })
    await expect(store.open('team', 'p', saver)).rejects.toMatchObject({
      code: 'PROFILE_IN_USE',
      status: 409,
      details: { heldBy: { pid: process.pid, for: 'job 1', since: expect.stringMatching(/^\d{4}-/) } },
    })
    await expect(store.delete('team', 'p')).rejects.toMatchObject({ code: 'PROFILE_IN_USE' })
    await expect(store.import('team', 'p', stateOf('x'))).rejects.toMatchObject({ code: 'PROFILE_IN_USE' })
    expect(await read(store, 'team', 'p')).toBe('one')
    expect(await store.show('team', 'p')).toMatchObject({ savingNow: { pid: process.pid } })
    await save(store, 'team', 'other', 'x')
    await save(store, 'other team', 'p', 'x')
    await first.release()
    await first.release()
    await save(store, 'team', 'p', 'two')
    expect(folder.files().filter(({ name }) => name.endsWith('.lock'))).toEqual([])
  })

  test('is acquired by exactly one of many concurrent savers', async () => {
    const store = folder.store()
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => store.open('team', 'p', saver)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('can be held by another process until that is killed', async () => {
    const store = folder.store()
    const other = await holder('p')
    try {
      await expect(store.open('team', 'p', saver)).rejects.toMatchObject({
        code: 'PROFILE_IN_USE',
        details: { heldBy: { pid: other.pid, for: 'the holder' } },
      })
    } finally {
      await other.kill()
    }
    expect(folder.files().map(({ name }) => name.replace(/.*\./, ''))).toEqual(['lock'])
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => store.open('team', 'p', saver)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test.runIf(process.platform === 'linux')(
    'is taken over if its process is dead and the process id was reused',
    async () => {
      const { store, path, lock } = await ownLock()
      writeFileSync(path, JSON.stringify({ ...lock, startedAt: '1' }))
      await save(store, 'team', 'p', 'two')
      expect(await read(store, 'team', 'p')).toBe('two')
    },
  )

  test('held by another machine is valid until it is no longer renewed', async () => {
    const { store, path, lock } = await ownLock()
    writeFileSync(path, JSON.stringify({ ...lock, host: 'elsewhere', pid: 1 }))
    await expect(store.open('team', 'p', saver)).rejects.toMatchObject({ code: 'PROFILE_IN_USE' })
    longAgo(path)
    await save(store, 'team', 'p', 'two')
  })

  test('is valid while it is being written, unless that takes too long', async () => {
    const { store, path } = await ownLock()
    writeFileSync(path, '')
    await expect(store.open('team', 'p', saver)).rejects.toMatchObject({ code: 'PROFILE_IN_USE' })
    longAgo(path)
    await save(store, 'team', 'p', 'two')
  })

  test('prevents a saver that lost it from saving or releasing it', async () => {
    const store = folder.store()
    const first = await store.open('team', 'p', saver)
    rmSync(folder.fileWith('.lock'))
    const second = await store.open('team', 'p', saver)
    await expect(first.save(stateOf('late'))).rejects.toMatchObject({ code: 'PROFILE_IN_USE' })
    await first.release()
    await second.save(stateOf('two'))
    expect(await read(store, 'team', 'p')).toBe('two')
  })
})
