import { expect, it } from 'vitest'
import { createRouter } from '../../../src/kernel/route.ts'
import { operations } from '../../../src/operations/index.ts'
import { withV1 } from '../../../src/surfaces/v1.ts'
import { clients } from './methods.ts'

const router = withV1(createRouter(operations))
const found = (method: string, path: string) =>
  router(method, new URL(path.replaceAll('{id}', 'a'), 'http://localhost'))
const endpoints = Object.values(clients).flatMap(({ methods }) => Object.values(methods))
it.each([...new Set(endpoints.filter((endpoint) => typeof endpoint === 'string' && endpoint !== 'local'))])(
  'an endpoint called by a client exists here: %s',
  (endpoint) => {
    const [method = '', path = ''] = String(endpoint).replace('WebSocket', 'GET').split(' ')
    expect(found(method, path)).toHaveProperty('operation')
  },
)
