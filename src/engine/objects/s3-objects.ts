import type { Objects } from '../store/objects.ts'
import { createTrustedClient } from '../net/http/trusted-client.ts'
import { parseObjectsUrl } from '../store/objects-url.ts'
import { createS3Client, type S3Answer, unavailable } from './s3-client.ts'

/** Objects in a bucket of a store that speaks S3. The operator named it in the settings, so no rule of addresses applies. */
export function openS3Objects(objectsUrl: string, userAgent: string): Objects {
  const client = createTrustedClient(userAgent)
  const ask = createS3Client(parseObjectsUrl(objectsUrl), client)
  return {
    async put(key, { bytes, mediaType }) {
      const answer = await ask({ method: 'PUT', key, body: bytes, mediaType, size: bytes.byteLength })
      if (answer.status !== 200) throw refused(answer)
    },
    async get(key, size) {
      const answer = await ask({ method: 'GET', key, size })
      if (isMissing(answer)) return undefined
      if (answer.status !== 200) throw refused(answer)
      if (answer.bytes.byteLength !== size) throw unavailable(new Error('The object has another size.'))
      const { buffer, byteOffset } = answer.bytes
      return new Uint8Array(buffer, byteOffset, size)
    },
    async delete(key) {
      const answer = await ask({ method: 'DELETE', key, size: 0 })
      if (![200, 204].includes(answer.status) && !isMissing(answer)) throw refused(answer)
    },
    close: () => client.close(),
  }
}

/** What a refusal says in a word, such as `SignatureDoesNotMatch`. */
const codeOf = ({ bytes }: S3Answer) => /<Code>(\w{1,64})<\/Code>/.exec(Buffer.from(bytes).toString('latin1'))?.[1]

/** Any other 404 is that of a bucket that is not there, or of a server that is no store: objects may be there still. */
const isMissing = (answer: S3Answer) => answer.status === 404 && codeOf(answer) === 'NoSuchKey'

const refused = (answer: S3Answer) =>
  unavailable(new Error(`It answered ${[answer.status, codeOf(answer)].filter(Boolean).join(' ')}.`))
