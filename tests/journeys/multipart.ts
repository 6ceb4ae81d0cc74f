/** A FormData as the bytes a browser would send. */
export async function multipart(form: FormData): Promise<{ type: string; body: Buffer }> {
  const boundary = '----portal-journey'
  const parts: Buffer[] = []
  for (const [name, value] of form.entries()) {
    const isFile = typeof value !== 'string'
    const file = isFile
      ? `; filename="${value.name}"\r\nContent-Type: ${value.type || 'application/octet-stream'}`
      : ''
    parts.push(Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`))
    parts.push(isFile ? Buffer.from(await value.arrayBuffer()) : Buffer.from(value), Buffer.from('\r\n'))
  }
  parts.push(Buffer.from(`--${boundary}--\r\n`))
  return { type: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(parts) }
}
