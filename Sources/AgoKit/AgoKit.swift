// AgoKit
