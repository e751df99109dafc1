export { readTlsFiles, UnfitCertificate, type TlsFiles, type TlsMaterial } from './tls-files.js';
export { WatchedTlsFiles, type TlsFilesListener } from './watched-tls-files.js';
