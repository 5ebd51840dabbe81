import { expect, test } from 'vitest'
import { callsFor } from '../../src/kernel/tool.ts'
import { tools } from '../../src/operations/index.ts'
import { page, service, startPages } from './extract-world.ts'

type Json = Record<string, unknown>

test('one tool covers all operations on monitors', async () => {
  const { url } = await startPages({ '/a': page('A', { Price: 1 }) })
  const { output } = await service({})
  const act = async (action: string, more: Json = {}) => {
    const [call] = callsFor(
      tools.find(({ name }) => name === 'monitor')!,
      { action, ...more },
    )
    return output(call!.operation.name, { ...call!.input })
  }
  const { data } = await act('create', { schedule: '0 0 1 1 *', urls: [url('/a')] })
  const { id } = data as { id: string }
  expect(await act('list')).toMatchObject({ data: [{ id }] })
  const { data: started } = await act('run', { id })
  const { id: checkId } = started as { id: string }
  const check = async () => ((await act('get', { id, checkId })) as { data: Json }).data
  await expect.poll(async () => (await check())['status']).toBe('completed')
  expect(await check()).toMatchObject({ pages: [{ status: 'new' }] })
  expect(await act('get', { id })).toMatchObject({ data: { id }, checks: [{ id: checkId }] })
  expect(await act('update', { id, status: 'paused' })).toMatchObject({ data: { status: 'paused' } })
  expect(await act('delete', { id })).toMatchObject({ id })
  expect(await act('list')).toMatchObject({ data: [] })
})
