/**
 * A server on node:http that answers the bytes it was given under a path, with the headers they came with,
 * and does nothing else.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const answers = new Map<string, { body: Buffer; headers: Record<string, string> }>()
const server = createServer((request, response) => {
  if (request.method === 'PUT') {
    const { 'content-type': type = 'application/json; charset=utf-8', 'x-encoding': encoding } =
      request.headers
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const headers = { 'content-type': type, ...(encoding && { 'content-encoding': String(encoding) }) }
      answers.set(request.url!, { body: Buffer.concat(chunks), headers })
      response.end()
    })
    return
  }
  const answer = answers.get(request.url!)
  response.writeHead(answer ? 200 : 404, answer?.headers)
  response.end(answer?.body)
})
server.listen(0, '127.0.0.1', () =>
  console.log(`listening at http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
