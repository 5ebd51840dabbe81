import { assert, asyncProperty, constantFrom, oneof, string } from 'fast-check'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { queryOf, vectorOf } from '../../../src/engine/store/postgres/tsvectors.ts'
import { anywhere, phrase } from '../../../src/engine/store/sqlite/page-index/full-text.ts'
import { describePostgres, startPostgres } from '../../helpers/postgres.ts'
import { forAll } from '../../helpers/for-all.ts'

const empty = { cacheKey: '', fetchedAt: 0, scope: '', url: '', title: '', body: '' }

test('the words of a page have their column and position', () => {
  const vector = vectorOf({ ...empty, title: 'Kitchens', url: 'example.com', scope: 't7', body: 'a kitchen' })
  expect(vector).toBe(`'kitchen':1A,1201B 'exampl':500C 'com':501C 't7':1000D 'a':1200B`)
})

describePostgres('the full text of PostgreSQL', () => {
  const server = forAll(startPostgres)
  const client = forAll(
    async () => {
      const opened = new Client({ connectionString: server.url })
      await opened.connect()
      return opened
    },
    (opened) => opened.end(),
  )
  const holds = async (body: string, typed: string) => {
    const [wanted] = phrase(anywhere, typed)
    if (wanted === undefined) return undefined
    const vector = vectorOf({ ...empty, title: 'One', body })
    const { rows } = await client.query<{ found: boolean }>('SELECT $1::tsvector @@ $2::tsquery AS found', [
      vector,
      queryOf(wanted),
    ])
    return rows[0]?.found
  }

  test('accepts any content of a page or query', async () => {
    const anything = string({ unit: 'binary', maxLength: 60 }).map((text) => text.replaceAll('\0', ''))
    const signs = string({ unit: constantFrom("'", '\\', '"', ':', '*', '&', '!', '<->', 'a', ' ', '字') })
    await assert(
      asyncProperty(oneof(anything, signs), oneof(anything, signs), async (body, typed) => {
        expect(['boolean', 'undefined']).toContain(typeof (await holds(body, typed)))
      }),
      { numRuns: 300 },
    )
  })

  test.each([
    ['a word of 12,000 letters', 'a'.repeat(12_000), 'a'.repeat(12_000)],
    ['a word many times', 'kitchen '.repeat(4000), 'kitchen'],
    ['12,000 characters without spaces', '字词'.repeat(6000), '字词'],
    ['12,000 single letters', 'a b c d e '.repeat(2400), 'e'],
    ['an apostrophe', "the cook's knife", "cook's"],
    ['accents', 'Crème brûlée', 'creme brulee'],
  ])('finds %s', async (_, body, typed) => expect(await holds(body, typed)).toBe(true))

  test('finds no phrase across title and text', async () => {
    expect(await holds('kitchen', 'One kitchen')).toBe(false)
    expect(await holds('One kitchen', 'One kitchen')).toBe(true)
  })
})
