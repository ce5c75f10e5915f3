/** A file as an address that holds all of it: `data:image/png;base64,…`. */
export function dataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('It can’t be read.'));
    reader.readAsDataURL(file);
  });
}
