import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A help desk that takes forms: answers a page of thanks, and keeps each body with its type. */
export async function deskPeer() {
  const posts: { path: string; type: string; body: string }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.method === 'POST')
        posts.push({
          path: request.url ?? '',
          type: request.headers['content-type'] ?? '',
          body: Buffer.concat(chunks).toString(),
        })
      response.setHeader('content-type', 'text/html').end('<h1>Thank you</h1>')
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    close: () => new Promise<void>((done) => void server.close(() => done()).closeAllConnections()),
  }
}
