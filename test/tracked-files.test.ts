import { expect, test } from 'vitest'
import { trackedFileErrors } from '../scripts/tracked-files.ts'

test('a large file and an unknown entry at the top are refused', () => {
  const files = [
    { path: 'src/main.ts', bytes: 4000 },
    { path: 'tsconfig.build.json', bytes: 10 },
    { path: 'docs/video.mp4', bytes: 1_000_001 },
    { path: 'wheel.whl', bytes: 10 },
    { path: 'notes/todo.md', bytes: 10 },
  ]
  expect(trackedFileErrors(files)).toEqual([
    'wheel.whl: unknown entry at the top level.',
    'notes: unknown entry at the top level.',
    'docs/video.mp4: 1000001 bytes; tracked files have at most 1000000.',
  ])
})
